// The end of a session while its page is open.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { noFaults, phone, readAddress } from '../support/page/app-page.ts';

const app = useApp({
  // Long enough for a busy machine to open a message.
  MAYFLY_SESSION_LIFETIME_DEFAULT_SECONDS: '15',
  MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '1',
});

it('says so when the address has ended, keeps what is on the screen, and offers a new one', async () => {
  const { page, faults, email } = await app.open();
  await app.service.send(email, { subject: 'Soon gone', text: 'The words.' });
  await page.getByRole('link', { name: /Soon gone/ }).click();
  await page.getByTestId('text').getByText('The words.').waitFor();
  await page.getByRole('heading', { name: 'This address has ended' }).waitFor();
  expect(await page.getByText('What you see stays here until you leave.').isVisible()).toBe(true);
  expect(await page.getByTestId('text').getByText('The words.').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: /^(?:Copy address|Delete|Mark as unread)$/ }).count()).toBe(
    0,
  );
  expect(await page.evaluate("localStorage.getItem('mayfly.sessions')")).not.toContain(email);
  await page.getByRole('button', { name: 'Get a new address' }).click();
  await expect.poll(() => readAddress(page)).toMatch(/@mayfly\.test$/);
  expect(await readAddress(page)).not.toBe(email);
  expect(await page.getByText('Soon gone').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('says beside a message open on a phone that its address has ended', async () => {
  const { page, faults, email } = await app.open(phone);
  await app.service.send(email, { subject: 'Soon gone', text: 'The words.' });
  await page.getByRole('link', { name: /Soon gone/ }).click();
  await page.getByTestId('text').getByText('The words.').waitFor();
  await page.getByText('This address has ended. What you see stays here until you leave.').waitFor();
  expect(await page.getByTestId('text').getByText('The words.').isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('shows an ended address without mail as such', async () => {
  const { page, email } = await app.open();
  await page.getByRole('heading', { name: 'This address has ended' }).waitFor();
  expect(await page.getByText(`${email} no longer receives mail`).isVisible()).toBe(true);
});

it('offers an extension before the end, and then shows it', async () => {
  const { page, faults } = await app.openPage();
  await page.getByRole('status').getByRole('button', { name: 'Extend' }).click();
  await page.getByText(/^Ends in (1:00:0|59:5)/).waitFor();
  expect(faults).toEqual(noFaults);
});

it('offers an extension five minutes before the end, and leaves it while the pointer is on it', async () => {
  const lent = await fetch(`${app.service.url}create-session`, {
    method: 'POST',
    body: new URLSearchParams({ lifetime: '330' }),
  });
  const { token } = (await lent.json()) as { token: string };
  const { page, faults } = await app.openPage({
    at: { ...app.service, url: `${app.service.url}#share=${token}` },
  });
  await page.clock.install();
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.getByText(/^Ends in 5:/).waitFor();
  const offer = page.getByRole('status').getByText('Your address ends in 5 minutes.');
  expect(await offer.count()).toBe(0);
  await page.clock.fastForward(31_000);
  await offer.hover();
  await page.clock.runFor(60_000);
  await page.getByRole('status').getByRole('button', { name: 'Extend' }).click();
  await page.getByText(/^Ends in 1:0/).waitFor();
  await expect.poll(() => offer.count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('says a minute before the end that it is near, and no longer once it is over', async () => {
  const { page } = await app.open();
  // Fifteen seconds are not a minute.
  const near = page.getByRole('status').getByText('Your address is about to end.');
  await near.waitFor();
  expect(await page.getByText('ends in 1 minute').count()).toBe(0);
  await page.getByRole('heading', { name: 'This address has ended' }).waitFor();
  await expect.poll(() => near.count()).toBe(0);
  const lent = await fetch(`${app.service.url}create-session`, {
    method: 'POST',
    body: new URLSearchParams({ lifetime: '64' }),
  });
  const { token } = (await lent.json()) as { token: string };
  const long = await app.openPage({ at: { ...app.service, url: `${app.service.url}#share=${token}` } });
  await long.page.getByRole('button', { name: 'Open it' }).click();
  await long.page.getByRole('status').getByText('Your address ends in 1 minute.').waitFor();
  expect(await long.page.getByRole('timer').innerText()).toMatch(/^Ends in (?:1:00|0?:?5\d)/);
  await fetch(`${app.service.url}end-session`, { method: 'POST', body: new URLSearchParams({ token }) });
  await long.page.getByRole('heading', { name: 'This address has ended' }).waitFor();
  await expect.poll(() => long.page.getByText('ends in 1 minute').count()).toBe(0);
});
