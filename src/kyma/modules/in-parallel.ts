const mostConnections = 8;
const requestsPerConnection = 8;

/**
 * How many of `count` requests to one cluster are worth sending at a time: each more needs a connection of its own, and
 * setting one up costs both sides more than several requests on one that is there.
 */
export function requestsAtOnce(count: number): number {
  return Math.min(mostConnections, Math.ceil(count / requestsPerConnection));
}

/** Runs `work` for each item, at most `limit` at a time. The first throw ends it; what is under way is awaited. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  const failure = workers.find((settled) => settled.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
}
