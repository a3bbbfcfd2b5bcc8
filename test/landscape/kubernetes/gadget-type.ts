import type { ResourceType } from '../../../landscape/kubernetes/resource-type.ts';
import { invalid } from '../../../landscape/kubernetes/status-error.ts';

/** A type with all that a type can have, for tests. */
export const gadgetType: ResourceType = {
  group: 'test.example.com',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  singular: 'gadget',
  shortNames: ['gd'],
  namespaced: true,
  statusSubresource: true,
  columns: [
    { name: 'Color', type: 'string', value: (object) => object.spec?.color },
    { name: 'Size', type: 'integer', value: (object) => object.spec?.size, priority: 1 },
  ],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['color'],
        properties: {
          color: { type: 'string' },
          size: { type: 'integer', default: 1, minimum: 0 },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', properties: { name: { type: 'string' }, weight: { type: 'integer' } } },
          },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          zones: { type: 'array', items: { type: 'string' } },
          options: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  admit: ({ object }) => {
    if (object?.spec?.color !== 'invisible') return;
    throw invalid({ group: 'test.example.com', kind: 'Gadget' }, object.metadata.name ?? '', [
      { reason: 'FieldValueInvalid', field: 'spec.color', value: 'invisible', detail: 'must be visible' },
    ]);
  },
  fieldSelectors: { 'spec.color': (object) => object.spec?.color ?? '' },
  subresources: {
    paint: ({ object, body }) => ({
      ...object,
      kind: 'Paint',
      spec: { from: object.spec.color, to: body.spec?.color },
    }),
  },
};
