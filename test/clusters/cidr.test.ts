import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cidr, contains, overlaps, rangeAround, readCidr } from '../../src/clusters/cidr.ts';

const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const range = fc.tuple(address, fc.integer({ min: 0, max: 32 })).map(([within, prefix]) => rangeAround(within, prefix));

test('every range reads back as itself', () => {
  fc.assert(fc.property(range, (cidr) => assert.deepEqual(readCidr(cidr.text), { cidr })));
});

test('an address that is not the start of its range is refused with the range that was meant', () => {
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 31 }), (within, prefix) => {
      const canonical = rangeAround(within, prefix);
      fc.pre(canonical.first !== within);
      const reading = readCidr(`${dotted(within)}/${prefix}`);
      assert.ok('mistake' in reading && reading.mistake.includes(canonical.text), JSON.stringify(reading));
    }),
  );
});

test("containment agrees with Node's own list of networks", () => {
  fc.assert(
    fc.property(range, range, (outer, inner) => {
      const list = new BlockList();
      list.addSubnet(dotted(outer.first), outer.prefix, 'ipv4');
      const last = inner.first + 2 ** (32 - inner.prefix) - 1;
      assert.equal(contains(outer, inner), list.check(dotted(inner.first)) && list.check(dotted(last)));
    }),
  );
});

test('two ranges overlap exactly when one begins in the other', () => {
  const near = fc
    .tuple(fc.integer({ min: 0, max: 1023 }), fc.integer({ min: 22, max: 32 }))
    .map(([within, prefix]) => rangeAround(within, prefix));
  fc.assert(
    fc.property(near, near, (one, other) => {
      const begins = (inside: Cidr, start: number) =>
        start >= inside.first && start < inside.first + 2 ** (32 - inside.prefix);
      assert.equal(overlaps(one, other), begins(one, other.first) || begins(other, one.first));
      assert.equal(overlaps(one, other), overlaps(other, one));
    }),
  );
});

const mistakes: [text: string, words: string][] = [
  ['', 'is not an IPv4 range'],
  ['10.250.0.0', 'is not an IPv4 range'],
  ['10.250.0.0/22 ', 'is not an IPv4 range'],
  ['fd00::/8', 'is not an IPv4 range'],
  ['0x0a.0.0.0/8', 'is not an IPv4 range'],
  ['10.250.0.256/32', 'above 255'],
  ['10.250.0.0/33', 'above 32'],
  ['010.250.0.0/22', 'not written as the start of its range, which is 10.250.0.0/22'],
  ['10.10.10.10/24', 'which is 10.10.10.0/24'],
];
for (const [text, words] of mistakes) {
  test(`"${text}" is refused: ${words}`, () => {
    const reading = readCidr(text);
    assert.ok('mistake' in reading && reading.mistake.includes(words), JSON.stringify(reading));
  });
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
