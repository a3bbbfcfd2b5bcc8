// What was sent is remembered in this browser. Answers never are, since they may hold a kubeconfig, and neither are
// requests that mark something as confidential.
const historyKey = 'provisioner.history';
const longest = 30;
const confidential = /\bsecret"?\s*:\s*true\b/;

export function createHistory(storage = localStorage) {
  const entries = () => {
    try {
      const stored = JSON.parse(storage.getItem(historyKey) ?? '[]');
      return Array.isArray(stored) ? stored : [];
    } catch {
      return [];
    }
  };
  return {
    entries,
    /** The newest is first, and nothing is in it twice. */
    add: (request) => {
      if (confidential.test(request.query) || confidential.test(request.variables)) return;
      const same = (other) => other.query === request.query && other.variables === request.variables;
      const others = entries().filter((other) => !same(other));
      storage.setItem(historyKey, JSON.stringify([request, ...others].slice(0, longest)));
    },
    setting: (name) => storage.getItem(`provisioner.${name}`) ?? undefined,
    remember: (name, value) => storage.setItem(`provisioner.${name}`, value),
  };
}
