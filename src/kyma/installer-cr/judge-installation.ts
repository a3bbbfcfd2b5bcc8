import { Failure } from '../../domain/failures.ts';
import type { SeenInstallation } from './installation-resource.ts';

const longestMessage = 300;

/**
 * How far the installer is, by its state and by whether its order is still there. `unsettled`: it may have ended a moment
 * ago, between taking its order away and saying how it ended, or have stopped for good in between.
 */
export type InstallationPhase =
  | 'prepared'
  | 'queued'
  | 'running'
  | 'retrying'
  | 'unsettled'
  | 'installed'
  | 'failed'
  | 'uninstalled';

export function phaseOf({ state, action, hasError }: SeenInstallation): InstallationPhase {
  const ordered = action !== undefined;
  switch (state) {
    case '':
      return ordered ? 'queued' : 'prepared';
    case 'Installed':
      return ordered ? 'queued' : 'installed';
    case 'Uninstalled':
      return ordered ? 'queued' : 'uninstalled';
    case 'Error':
      return ordered ? 'retrying' : 'failed';
    default:
      // Given up while it was planning: it never leaves that by itself.
      if (!ordered && hasError) return 'failed';
      return ordered ? 'running' : 'unsettled';
  }
}

/** Such as `component istio (2 of 4)`; what the installer says itself when it names no component. */
export function workOf({ description, components }: SeenInstallation): string {
  const index = positionOf({ description, components });
  if (index !== undefined) return `component ${components[index]} (${index + 1} of ${components.length})`;
  return shorten(description ?? 'starting');
}

/** 0 to 99, by the place of the component at work among all of them. */
export function progressOf(seen: SeenInstallation): number {
  const { components } = seen;
  const index = positionOf(seen) ?? 0;
  return components.length === 0 ? 0 : Math.floor((index / components.length) * 100);
}

/** The latest error; undefined when there is none. */
export function errorOf({ error }: SeenInstallation): string | undefined {
  if (!error) return undefined;
  const times = error.occurrences > 1 ? ` (${error.occurrences} times)` : '';
  return `${error.component ? `${error.component}: ` : ''}${shorten(error.log)}${times}`;
}

export function installationFailure(seen: SeenInstallation, what: string): Failure {
  const reason = errorOf(seen) ?? shorten(seen.description ?? 'the installer gives no reason');
  return new Failure('KYMA_INSTALLATION_FAILED', `${what} failed at ${workOf(seen)}: ${reason}`);
}

/** Of the component that the description names last, as names may be parts of others. */
function positionOf({ description, components }: Pick<SeenInstallation, 'description' | 'components'>) {
  const words = description?.split(/[^-.\w]+/) ?? [];
  const index = components.findLastIndex((name) => words.includes(name));
  return index === -1 ? undefined : index;
}

function shorten(text: string): string {
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}...` : text;
}
