import type { Director } from './director.ts';

async function refuse(): Promise<never> {
  throw new Error(
    'this Runtime is registered in a Director, but registration is off: set APP_RUNTIME_REGISTRATION_ENABLED to true',
  );
}

/**
 * Stands where no Director is configured. Stages of Runtimes that are registered nowhere never call it; those of
 * Runtimes from before registration was turned off wait, and say why.
 */
export const directorOff: Director = {
  register: refuse,
  runtime: refuse,
  findByLabel: refuse,
  setLabel: refuse,
  setCondition: refuse,
  requestOneTimeToken: refuse,
  unregister: refuse,
};
