import type { Repair } from '../../domain/flow.ts';
import type { Tools } from '../tools.ts';
import { noteReconnection, readReconnection } from './progress.ts';

/** What the connection was before all of it stays known, so that one which was made meanwhile is recognised. */
export const takeUpReconnection: Repair<Tools> = {
  reads: 'the Runtime Agent may have three tokens again',
  act: async (run) => {
    const reconnection = readReconnection(run.operation.notes);
    if (reconnection?.attempt !== undefined) await noteReconnection(run, { before: reconnection.before });
  },
};
