import type { ConfigurationEntry, KymaComponent, KymaConfig } from '../domain/kyma-config.ts';
import type { ComponentConfigurationInput, ConfigEntryInput, KymaConfigInput } from './generated/schema.ts';
import { withoutNulls } from './given.ts';

/** The input without nulls; what it names is judged by the catalogue. No components: the release's minimal set. */
export function parseKymaConfig(input: KymaConfigInput): KymaConfig {
  const { version, profile, conflictStrategy, modules, configuration } = input;
  return {
    version,
    components: withoutNulls(input.components).map(parseComponent),
    ...(profile && { profile }),
    ...(conflictStrategy && { conflictStrategy }),
    ...(modules && { modules }),
    ...(configuration && { configuration: withoutNulls(configuration).map(parseEntry) }),
  };
}

function parseComponent(input: ComponentConfigurationInput): KymaComponent {
  const { component, namespace, sourceURL, configuration, conflictStrategy } = input;
  return {
    component,
    namespace,
    ...(sourceURL && { sourceURL }),
    ...(configuration && { configuration: withoutNulls(configuration).map(parseEntry) }),
    ...(conflictStrategy && { conflictStrategy }),
  };
}

function parseEntry({ key, value, secret }: ConfigEntryInput): ConfigurationEntry {
  return { key, value, ...(secret && { secret }) };
}
