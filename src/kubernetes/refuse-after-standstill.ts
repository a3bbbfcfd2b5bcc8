import type { Dispatcher } from 'undici';

/**
 * In milliseconds. A replica gives itself up when it could not say for 7.5 s that it lives, and the others give it up
 * after 10 s: one that has stood still for less than the difference is nobody's zombie.
 */
const longestStandstill = 2_500;
/** How often the time is noted, in milliseconds. */
export const tick = 250;

/** A request that was not sent: the process has to find out first what it may still do. */
export class StoodStill extends Error {
  override readonly name = 'StoodStill';
  readonly code = 'STOOD_STILL';
}

let tickedAt = 0;
let ticking: NodeJS.Timeout | undefined;

/**
 * Keeps a process that stood still (frozen, swapped out, blocked) from acting on what it knew before. When it wakes up,
 * answers that have come meanwhile are read first, and the timer that tells it that it was given up runs after that: in
 * between, requests that may change something fail with StoodStill. Asked at the moment of writing, so that nothing that
 * was queued goes out either.
 */
export function refuseAfterStandstill(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  keepTicking();
  return (options, handler) => {
    if (options.method === 'GET') return dispatch(options, handler);
    const begin: Dispatcher.DispatchHandler['onRequestStart'] = (controller, context) => {
      const stoodStill = performance.now() - tickedAt;
      if (stoodStill < longestStandstill) return handler.onRequestStart?.(controller, context);
      const words = `not sent: this process stood still for ${(stoodStill / 1_000).toFixed(1)} s`;
      return controller.abort(new StoodStill(words));
    };
    return dispatch(options, new Proxy(handler, { get: (target, name) => memberOf(target, name, begin) }));
  };
}

function memberOf(handler: Dispatcher.DispatchHandler, name: string | symbol, begin: unknown): unknown {
  if (name === 'onRequestStart') return begin;
  const member: unknown = Reflect.get(handler, name);
  return typeof member === 'function' ? member.bind(handler) : member;
}

/**
 * A time is believed once all timers that were due then have run, those with which a replica gives itself up among them.
 * Timers are run by a clock that is read before: a process may stand still between that and the time being noted, so it
 * counts one tick later.
 */
function keepTicking(): void {
  if (ticking !== undefined) return;
  tickedAt = performance.now();
  let noted = tickedAt;
  ticking = setInterval(() => {
    setImmediate(() => {
      tickedAt = noted;
      noted = performance.now();
    });
  }, tick);
  ticking.unref();
}
