import type { IncomingHttpHeaders } from 'node:http';
import type { FaultSubject } from './faults.ts';

/** A request that is held, at one of two moments: nothing has happened yet, or everything has and nothing is answered. */
export interface HeldRequest extends FaultSubject {
  readonly moment: 'arrived' | 'carried-out';
  /** The same object at both moments. */
  readonly headers: IncomingHttpHeaders;
}

/** Holds a request for as long as it likes; false breaks the connection. */
export type Gatekeeper = (request: HeldRequest) => Promise<boolean>;

/** What every request to the landscape passes twice. It is open unless somebody keeps it. */
export class Gate {
  keeper: Gatekeeper | undefined;

  async lets(request: HeldRequest): Promise<boolean> {
    return this.keeper === undefined || this.keeper(request);
  }
}
