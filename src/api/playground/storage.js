// GraphiQL keeps in the browser what was written (tabs, headers, history), never answers. What marks something as
// confidential is not kept either.
const confidential = /\bsecret[\s"]*:\s*true\b/;
const drafts = ['graphiql:query', 'graphiql:variables', 'graphiql:tabState'];

/** Keeps in `inner`, except that as long as something confidential is written, no draft is, nor any earlier form of it. */
export function createRequestStorage(inner) {
  const confidentialDrafts = new Set();
  return {
    getItem: (key) => inner.getItem(key),
    removeItem: (key) => {
      confidentialDrafts.delete(key);
      inner.removeItem(key);
    },
    clear: () => inner.clear(),
    get length() {
      return inner.length;
    },
    setItem: (key, value) => {
      if (!drafts.includes(key)) {
        if (!isConfidential(value)) inner.setItem(key, value);
        return;
      }
      if (isConfidential(value)) confidentialDrafts.add(key);
      else confidentialDrafts.delete(key);
      if (confidentialDrafts.size === 0) inner.setItem(key, value);
      else for (const draft of drafts) inner.removeItem(draft);
    },
  };
}

/** Tabs and history are requests as JSON, and variables JSON in that: quotes and line breaks are escaped, even twice. */
function isConfidential(value) {
  return confidential.test(value.replace(/\\+[nrt]?/g, ' '));
}
