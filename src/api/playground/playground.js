// The page's behaviour: send what is written, show what comes back, remember what was sent.
import { showDocumentation } from './documentation.js';
import { examples } from './examples.js';
import { createHistory } from './history.js';

const element = (id) => document.getElementById(id);
const [query, variables, tenant, subAccount, answer, status, recall] = [
  'query',
  'variables',
  'tenant',
  'sub-account',
  'answer',
  'status',
  'recall',
].map(element);
const { endpoint } = document.body.dataset;
const history = createHistory();

async function send(body) {
  const headers = { 'content-type': 'application/json' };
  if (tenant.value.trim()) headers.tenant = tenant.value.trim();
  if (subAccount.value.trim()) headers['sub-account'] = subAccount.value.trim();
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
  return { response, text: await response.text() };
}

async function run() {
  const text = variables.value.trim();
  let values = {};
  try {
    if (text) values = JSON.parse(text);
  } catch (error) {
    status.textContent = `The variables are no JSON: ${error.message}`;
    variables.focus();
    return;
  }
  status.textContent = 'Sent, waiting for the answer ...';
  const startedAt = performance.now();
  try {
    const { response, text: answered } = await send({ query: query.value, variables: values });
    const elapsed = Math.round(performance.now() - startedAt);
    answer.value = pretty(answered);
    status.textContent = `HTTP ${response.status} after ${elapsed} ms, request ${response.headers.get('x-request-id') ?? 'without an id'}`;
    history.add({ query: query.value, variables: text });
    fillRecall();
  } catch (error) {
    status.textContent = `No answer from ${endpoint}: ${error.message}`;
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function fillRecall() {
  recall.replaceChildren(
    new Option('Examples and history', ''),
    optionGroup('Examples', examples),
    optionGroup('Sent before', history.entries()),
  );
}

function optionGroup(label, requests) {
  const group = document.createElement('optgroup');
  group.label = label;
  for (const request of requests) {
    const title = request.title ?? request.query.replace(/\s+/g, ' ').slice(0, 100);
    group.append(new Option(title, JSON.stringify(request)));
  }
  return group;
}

function show(request) {
  query.value = request.query;
  variables.value = request.variables;
}

/** Tab indents, unless Escape was pressed just before: the keyboard must not be trapped in a field. */
function indentWithTab(field) {
  let leaving = false;
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && !event.shiftKey && !leaving) {
      event.preventDefault();
      field.setRangeText('  ', field.selectionStart, field.selectionEnd, 'end');
    }
    leaving = event.key === 'Escape';
  });
}

recall.addEventListener('change', () => {
  if (recall.value) show(JSON.parse(recall.value));
  recall.value = '';
  query.focus();
});
element('run').addEventListener('click', run);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
});
for (const field of [query, variables]) indentWithTab(field);
for (const field of [tenant, subAccount]) {
  field.value = history.setting(field.id) ?? '';
  field.addEventListener('change', () => history.remember(field.id, field.value.trim()));
}
show(history.entries()[0] ?? examples[0]);
fillRecall();
await showDocumentation({ send, find: element('find'), place: element('documentation') });
