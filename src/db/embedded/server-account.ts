import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The user that PostgreSQL runs as; undefined means: the one that we run as. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

const preferredNames = ['postgres', '_postgres', 'nobody', 'daemon'];

/**
 * PostgreSQL refuses to run as root, so root gets another account: the owner of the data when there is data, or else
 * one from the list of users (initdb insists on a user that has a name there).
 */
export function chooseServerAccount(existingData: string | undefined): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existingData !== undefined) {
    const { uid, gid } = statSync(existingData);
    if (uid !== 0) return { uid, gid };
  }
  const account = pickAccount(readFileSync('/etc/passwd', 'utf8'));
  if (account === undefined) {
    throw new Error(
      'The embedded PostgreSQL cannot run as root, and /etc/passwd has no other user. Add one, or set APP_DATABASE_HOST.',
    );
  }
  return account;
}

/** The most fitting user of a passwd file that is not root. */
export function pickAccount(passwd: string): ServerAccount | undefined {
  const accounts = new Map<string, ServerAccount>();
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && Number(uid) > 0 && Number(gid) > 0) accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  const preferred = preferredNames.find((name) => accounts.has(name));
  return preferred === undefined ? accounts.values().next().value : accounts.get(preferred);
}

/** True when the account may pass through every folder from the root down to `folder`. */
export function canReach(folder: string, account: ServerAccount | undefined): boolean {
  if (account === undefined) return true;
  for (let current = folder; ; current = path.dirname(current)) {
    const { mode, uid, gid } = statSync(current);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
