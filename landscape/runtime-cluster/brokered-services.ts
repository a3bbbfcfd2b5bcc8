/** The cloud behind the brokers of services: what exists there, and is paid for, whatever becomes of its cluster. */
export class BrokeredServices {
  readonly #names = new Map<string, string>();

  provision(uid: string, name: string): void {
    this.#names.set(uid, name);
  }

  deprovision(uid: string): void {
    this.#names.delete(uid);
  }

  /** `<namespace>/<name>` of the ServiceInstance that each was made for. */
  all(): readonly string[] {
    return [...this.#names.values()].sort();
  }
}
