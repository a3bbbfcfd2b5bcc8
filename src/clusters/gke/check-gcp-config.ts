import type { Problem } from '../../domain/failures.ts';
import { type GcpConfig, gkeLocation } from '../../domain/gcp-config.ts';
import { isVersion } from './versions.ts';

export const inputPath = 'config.clusterConfig.gcpConfig';
export const secretPath = 'config.credentials.secretName';

/** Of a Secret, and so of what may be put into a command for a shell. */
const secretNamePattern = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
/** GKE's own, which is stricter than Kubernetes'. */
const namePattern = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;
const projectPattern = /^([a-z0-9.-]+:)?[a-z][-a-z0-9]{4,28}[a-z0-9]$/;
const placePattern = /^[a-z]+-[a-z]+\d+(-[a-z])?$/;

/** All mistakes that can be found without asking anybody. */
export function checkGcpConfig(config: GcpConfig): readonly Problem[] {
  const problems: Problem[] = [];
  const wrong = (field: string, message: string) => problems.push({ path: `${inputPath}.${field}`, message });
  const { name, projectName, kubernetesVersion, region, zone } = config;
  if (!namePattern.test(name)) {
    wrong('name', `"${name}" is not 1 to 40 lower-case letters, digits and hyphens, a letter first and no hyphen last`);
  }
  if (!projectPattern.test(projectName))
    wrong('projectName', `"${projectName}" is not the id of a project such as my-project`);
  if (kubernetesVersion !== undefined && !isVersion(kubernetesVersion)) {
    wrong('kubernetesVersion', `"${kubernetesVersion}" is not a version such as 1.34, 1.34.3 or 1.34.3-gke.1444000`);
  }
  if (!placePattern.test(region)) {
    wrong('region', `"${region}" is neither a region such as europe-west3 nor a zone such as europe-west3-a`);
  }
  if (zone !== undefined) checkZone(zone, region, wrong);
  for (const [field, lowest, highest] of [
    ['numberOfNodes', 1, 1000],
    ['bootDiskSizeGB', 10, 65_536],
  ] as const) {
    const number = config[field];
    if (number < lowest || number > highest) wrong(field, `${number} is not between ${lowest} and ${highest}`);
  }
  if (!/^[a-z][a-z0-9-]*$/.test(config.machineType)) {
    wrong('machineType', `"${config.machineType}" is not a machine type such as n2-standard-4`);
  }
  if (!secretNamePattern.test(config.credentialsSecretName)) {
    const message = `"${config.credentialsSecretName}" is not the name of a Secret such as gcp-secret`;
    problems.push({ path: secretPath, message });
  }
  return problems;
}

function checkZone(zone: string, region: string, wrong: (field: string, message: string) => unknown): void {
  if (!placePattern.test(zone) || gkeLocation({ region: zone }).kind !== 'zone') {
    return void wrong('zone', `"${zone}" is not a zone such as europe-west3-a`);
  }
  if (gkeLocation({ region }).kind === 'zone') {
    if (zone !== region) wrong('zone', `"${zone}" is not the zone that region names, ${region}; give one of them`);
  } else if (!zone.startsWith(`${region}-`)) {
    wrong('zone', `"${zone}" does not lie in the region ${region}, whose zones are ${region}-a and so on`);
  }
}
