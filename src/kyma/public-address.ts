import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Ranges that do not belong to the public Internet (IANA's registries of special-purpose addresses). */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  // Teredo and the other protocols; 6to4 embeds an IPv4 address, too.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}

/** False for what leads back to this network: private, loopback and link-local addresses, and what is no address. */
export function isPublicAddress(address: string): boolean {
  // A BlockList looks at the IPv4 address in an IPv4-mapped one by itself.
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIPv6(address) && !notPublic.check(address, 'ipv6');
}
