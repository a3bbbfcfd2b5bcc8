import { z } from 'zod';

const dataKey = z.string().regex(/^[-._a-zA-Z0-9]{1,253}$/, 'is not a key of a Secret');

/** Where confidential entries of a module's configuration go, as a catalogue says it. */
export const confidentialMapping = z.strictObject({
  /** Of the Secret, in the namespace of the module's custom resource, or else of the module. */
  name: z.string().regex(/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/, 'is not the name of a Secret'),
  /** The dotted path under the custom resource's `spec` that gets the name of the Secret; none when the name is fixed. */
  field: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, 'is not a dotted path of fields')
    .optional(),
  /** The key in the Secret for each configuration key. */
  keys: z.record(z.string(), dataKey).refine((keys) => Object.keys(keys).length > 0, 'maps nothing'),
});

export type ConfidentialMapping = z.infer<typeof confidentialMapping>;

/** A sentence for each thing that is mapped twice. */
export function mappingMistakes(mappings: readonly ConfidentialMapping[]): readonly string[] {
  const twice = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) < index);
  return [
    ...twice(mappings.map(({ name }) => name)).map((name) => `the Secret "${name}" is described twice`),
    ...twice(mappings.flatMap(({ keys }) => Object.keys(keys))).map((key) => `the key "${key}" is mapped twice`),
  ];
}
