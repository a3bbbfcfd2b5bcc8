import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import type { Mistake } from './mistake.ts';

export function checkWorkers(config: GardenerConfig): readonly Mistake[] {
  return [...autoScaler(config), ...rollingUpdate(config), ...machine(config)];
}

function* autoScaler({ autoScalerMin, autoScalerMax }: GardenerConfig): Generator<Mistake> {
  if (!isCount(autoScalerMin) || autoScalerMin < 1) {
    yield { path: 'autoScalerMin', message: `autoScalerMin ${autoScalerMin} must be a whole number of at least 1` };
  }
  if (!isCount(autoScalerMax) || autoScalerMax < autoScalerMin) {
    const message = `autoScalerMax ${autoScalerMax} must be a whole number of at least autoScalerMin, ${autoScalerMin}`;
    yield { path: 'autoScalerMax', message };
  }
}

function* rollingUpdate({ maxSurge, maxUnavailable }: GardenerConfig): Generator<Mistake> {
  for (const [path, value] of Object.entries({ maxSurge, maxUnavailable })) {
    if (!isCount(value)) yield { path, message: `${path} ${value} must be a whole number of at least 0` };
  }
  if (maxSurge === 0 && maxUnavailable === 0) {
    yield { path: 'maxSurge', message: 'maxSurge and maxUnavailable are both 0: nodes could never be replaced' };
  }
}

function* machine({ volumeSizeGB, diskType, machineImage, machineImageVersion }: GardenerConfig): Generator<Mistake> {
  if (volumeSizeGB !== undefined && (!isCount(volumeSizeGB) || volumeSizeGB < 1)) {
    yield { path: 'volumeSizeGB', message: `volumeSizeGB ${volumeSizeGB} must be a whole number of at least 1` };
  }
  if (diskType?.trim() === '') yield { path: 'diskType', message: 'diskType is empty; leave it out for the default' };
  if (machineImageVersion && !machineImage) {
    // The sentence of the original, which its clients know.
    const message = 'error: Machine Image Version passed while Machine Image is empty';
    yield { path: 'machineImageVersion', message };
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
