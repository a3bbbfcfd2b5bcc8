import { Failure } from '../domain/failures.ts';
import type { ConfigurationEntry, KymaComponent, KymaConfig } from '../domain/kyma-config.ts';
import type { ColumnCipher } from './encryption.ts';

/** A confidential entry as it is stored. */
export interface SealedEntry {
  readonly key: string;
  readonly secret: true;
  readonly encrypted: string;
}

type StoredEntry = ConfigurationEntry | SealedEntry;
type StoredComponent = Omit<KymaComponent, 'configuration'> & { readonly configuration?: readonly StoredEntry[] };

/** A KymaConfig whose confidential entries are encrypted, each for its own place. */
export type SealedKymaConfig = Omit<KymaConfig, 'components' | 'configuration'> & {
  readonly components: readonly StoredComponent[];
  readonly configuration?: readonly StoredEntry[];
};

interface Place {
  readonly cipher: ColumnCipher | undefined;
  readonly runtimeId: string;
}

/** Throws when an entry is confidential and no key is configured. */
export function sealKymaConfig(config: KymaConfig, place: Place): SealedKymaConfig {
  return mapEntries(config, (entry, path) => {
    if (!('value' in entry) || entry.secret !== true) return entry;
    const encrypted = cipherOf(place).seal(entry.value, placeOf(place, path, entry.key));
    return { key: entry.key, secret: true, encrypted };
  });
}

/** Throws EncryptionError when an entry was altered or moved. */
export function openKymaConfig(config: SealedKymaConfig, place: Place): KymaConfig {
  const opened = mapEntries(config, (entry, path) => {
    if (!('encrypted' in entry)) return entry;
    const value = cipherOf(place).open(entry.encrypted, placeOf(place, path, entry.key));
    return { key: entry.key, value, secret: true };
  });
  return opened as KymaConfig;
}

function mapEntries(
  config: KymaConfig | SealedKymaConfig,
  map: (entry: StoredEntry, path: string) => StoredEntry,
): SealedKymaConfig {
  const mapAll = (entries: readonly StoredEntry[] | undefined, path: string) =>
    entries === undefined ? {} : { configuration: entries.map((entry, index) => map(entry, `${path}/${index}`)) };
  const components: readonly StoredComponent[] = config.components;
  return {
    ...config,
    ...mapAll(config.configuration, 'configuration'),
    components: components.map((component, index) => ({
      ...component,
      ...mapAll(component.configuration, `components/${index}/configuration`),
    })),
  };
}

function cipherOf({ cipher }: Place): ColumnCipher {
  if (cipher !== undefined) return cipher;
  throw new Failure('INTERNAL', 'confidential configuration needs a key: set APP_DATABASE_SECRET_KEY');
}

/** The key belongs to the place, so that a value cannot be put under another name. */
function placeOf({ runtimeId }: Place, path: string, key: string) {
  return { table: 'runtime', row: runtimeId, column: `kyma_config/${path}/${key}` };
}
