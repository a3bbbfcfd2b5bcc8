import { parseAllDocuments, type Tags } from 'yaml';
import { isRecord, readPath, readText } from '../domain/json.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-client.ts';

/**
 * What YAML 1.1 makes of `2001-01-01`, `22:30` and binary data, and Kubernetes' own parser does not: to it, dates and
 * times are text.
 */
const foreignTags = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:set',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
]);

/**
 * The objects of a manifest of several documents, as Kubernetes reads it (YAML 1.1: `0644` is octal, `yes` is true).
 * Empty documents are skipped and lists are opened. Throws an Error that says where the manifest is wrong.
 */
export function parseManifest(text: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: kubernetesTags,
    logLevel: 'error',
  });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document, index) => {
    const [error] = document.errors;
    if (error) throw new Error(`document ${index + 1}: ${error.message}`);
    return openLists(document.toJS(), `document ${index + 1}`);
  });
}

function kubernetesTags(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag === 'string') return true;
    return !foreignTags.has(tag.tag) && !('format' in tag && tag.format === 'TIME');
  });
}

function openLists(value: unknown, where: string): KubernetesObject[] {
  if (value === null || value === undefined) return [];
  const kind = readText(value, 'kind');
  const items = readPath(value, 'items');
  if (kind?.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item, index) => openLists(item, `${where}, item ${index + 1}`));
  }
  if (isObject(value)) return [value];
  throw new Error(`${where} is not a Kubernetes object: it needs apiVersion, kind and metadata.name`);
}

function isObject(value: unknown): value is KubernetesObject {
  if (!isRecord(value)) return false;
  return [readText(value, 'apiVersion'), readText(value, 'kind'), readText(value, 'metadata', 'name')].every(Boolean);
}
