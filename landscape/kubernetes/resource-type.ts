/** An object as the API serves it. The landscape treats objects as plain JSON. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name?: string;
    generateName?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    [field: string]: unknown;
  };
  // biome-ignore lint/suspicious/noExplicitAny: an API server serves objects of any shape
  [field: string]: any;
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** True for a viewer credential: reads only, and no Secrets. */
  readonly readOnly?: boolean;
}

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Undefined for DELETE. Admission may change it (defaulting). */
  readonly object: KubeObject | undefined;
  /** Undefined for CREATE. */
  readonly old: KubeObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
}

export interface SubresourceRequest {
  readonly object: KubeObject;
  readonly body: KubeObject;
  readonly user: User;
}

/** A column of `kubectl get`, as in a CRD's additionalPrinterColumns. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'boolean' | 'number';
  readonly value: (object: KubeObject) => string | number | boolean | undefined;
  /** 0 (default) is always shown, 1 only with `-o wide`. */
  readonly priority?: number;
}

/** One kind of object that an API serves. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  /** Groups of resources that `kubectl get` knows by one word, such as `all`. */
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** True: `status` is written through `/status` only. */
  readonly statusSubresource?: boolean;
  readonly columns?: readonly PrinterColumn[];
  /** OpenAPI v3 schema of the object. Without one, every field is accepted (`x-kubernetes-preserve-unknown-fields`). */
  readonly schema?: object;
  /** Defaulting and validation, in that order; throws `StatusError` to refuse. */
  readonly admit?: (request: AdmissionRequest) => void;
  /** POST on `/name/<subresource>`; answers the object to return. */
  readonly subresources?: Readonly<Record<string, (request: SubresourceRequest) => KubeObject | Promise<KubeObject>>>;
  /** Field selectors beyond metadata.name and metadata.namespace: path to value. */
  readonly fieldSelectors?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** When true, generation is only raised by the spec (the default); a function decides for itself. */
  readonly raisesGeneration?: (old: KubeObject, object: KubeObject) => boolean;
}
