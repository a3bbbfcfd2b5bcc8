import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { apiUnderTest, provisionMutation } from '../api/api-under-test.ts';
import { eventually } from '../harness/eventually.ts';
import { openPage, skipWithoutBrowser } from './browser.ts';

const options = { skip: skipWithoutBrowser };

test('GraphiQL runs a query as the tenant of its header editor and reads the answer', options, async (t) => {
  const { origin, call } = await apiUnderTest(t);
  const provisioned = await call(provisionMutation(), { tenant: 'demo' });
  const { id, runtimeID } = provisioned.data.provisionRuntime;
  const { page, requests, complaints } = await openPage(t, origin);

  await write(page, 'Query Editor', `query Look { runtimeOperationStatus(id: "${id}") { operation state runtimeID } }`);
  // GraphiQL knows the new operation, and asks for no choice between those of the example.
  await page.getByRole('tab', { name: 'Look' }).waitFor();
  await run(page);
  await answerHolds(page, `"runtimeID": "${runtimeID}"`);
  await answerHolds(page, '"operation": "Provision"');

  await write(page, 'Headers', '{ "tenant": "somebody-else" }');
  await run(page);
  await answerHolds(page, '"code": "NOT_FOUND"');

  const kept = await eventually('the header is kept', async () => {
    const items: string = await page.evaluate('JSON.stringify(localStorage)');
    return items.includes('somebody-else') && items;
  });
  assert.ok(!kept.includes(runtimeID) && !kept.includes('NOT_FOUND'), 'answers are not kept');
  await page.reload();
  await page.locator('.graphiql-container', { hasText: 'somebody-else' }).waitFor();

  for (const url of requests.filter((request) => !request.startsWith('data:')))
    assert.equal(new URL(url).origin, origin);
  assert.deepEqual(complaints, []);
});

test('GraphiQL starts with the example and the tenant header, and opens the documentation', options, async (t) => {
  const { origin } = await apiUnderTest(t);
  const { page, complaints } = await openPage(t, origin);
  await page.locator('.graphiql-query-editor', { hasText: 'mutation Provision {' }).waitFor();
  await page
    .getByRole('region', { name: 'Headers' })
    .locator('visible=true', { hasText: '"tenant": "demo"' })
    .waitFor();

  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  const documentation = page.locator('.graphiql-plugin');
  await documentation.getByText('Every operation is asynchronous').waitFor();
  await documentation.getByRole('link', { name: 'Mutation', exact: true }).click();
  await documentation.getByRole('link', { name: 'provisionRuntime', exact: true }).click();
  await documentation.getByText('Makes a Kubernetes cluster, installs Kyma on it').waitFor();

  await page.getByRole('button', { name: 'Open settings dialog' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  assert.deepEqual(complaints, [], 'a dialog and its style are allowed too');
});

async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole('region', { name: editor }).locator('.CodeMirror').locator('visible=true').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Execute query' }).click();
}

async function answerHolds(page: Page, text: string): Promise<void> {
  await page.getByRole('region', { name: 'Result Window' }).filter({ hasText: text }).waitFor();
}
