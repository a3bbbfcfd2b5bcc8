import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { chromium, type Page } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Why tests with a browser cannot run here; false when they can. */
export const skipWithoutBrowser = executablePath === undefined && 'no Chromium is installed';

export interface BrowserPage {
  readonly page: Page;
  /** URLs of all requests that the page has sent. */
  readonly requests: readonly string[];
  /** What the page did that it should not: errors, and what its Content-Security-Policy stopped. */
  readonly complaints: readonly string[];
}

/** A page in a real browser that can resolve no host name and reach no other machine by one. */
export async function openPage(test: TestContext, url: string): Promise<BrowserPage> {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    ],
  });
  test.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective, event.blockedURI))",
  );
  await page.goto(url);
  return { page, requests, complaints };
}
