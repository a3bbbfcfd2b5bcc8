import { z } from 'zod';
import { artifactSchema } from '../artifact-schema.ts';

/** The last minor version of Kyma 1 whose components are installed by Tiller. */
const lastMinorWithTiller = 13;
const version = /^1\.(\d+)\.\d+(?:[-.].+)?$/;

/** A release of Kyma 1: what its installer is, and which components that can install. */
export const installerRelease = z.strictObject({
  /** `kyma-installer-cluster.yaml`. */
  installer: artifactSchema,
  tiller: artifactSchema.optional(),
  /** In the order of installation. */
  components: z.array(z.strictObject({ name: z.string().min(1), namespace: z.string().min(1) })).min(1),
  /** The components of a Runtime for which none are named. */
  minimal: z.array(z.string()),
});

export type InstallerRelease = z.infer<typeof installerRelease>;

/** What is wrong with a catalogue's entry, beside its form. */
export function releaseMistakes(
  id: string,
  { components, minimal, tiller }: InstallerRelease,
): readonly { readonly field: string; readonly message: string }[] {
  const names = components.map(({ name }) => name);
  const unknown = minimal.filter((name) => !names.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  return [
    ...unknown.map((name) => ({ field: 'minimal', message: `no component "${name}"` })),
    ...twice.map((name) => ({ field: 'components', message: `"${name}" is named twice` })),
    ...tillerMistakes(id, tiller !== undefined),
  ];
}

function tillerMistakes(id: string, hasTiller: boolean): readonly { field: string; message: string }[] {
  const minor = minorOf(id);
  if (minor === undefined) {
    return [{ field: 'installer', message: `"${id}" is not a version of Kyma 1 such as 1.24.11` }];
  }
  const needsTiller = minor <= lastMinorWithTiller;
  if (needsTiller === hasTiller) return [];
  const message = needsTiller
    ? `Kyma up to 1.${lastMinorWithTiller} needs tiller`
    : `Kyma from 1.${lastMinorWithTiller + 1} on does not need tiller; leave it out`;
  return [{ field: 'tiller', message }];
}

/** Of a release of Kyma 1, such as 24 of `1.24.11`; undefined for any other name. */
export function minorOf(id: string): number | undefined {
  const minor = version.exec(id)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
