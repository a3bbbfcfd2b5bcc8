/** Answers how to nudge. The work is done after a nudge, once at a time; nudges that come meanwhile have it done again. */
export function whenNudged(work: () => Promise<void>): () => void {
  let running = false;
  let nudged = false;
  async function run(): Promise<void> {
    running = true;
    while (nudged) {
      nudged = false;
      await work();
    }
    running = false;
  }
  return () => {
    nudged = true;
    if (!running) void run();
  };
}
