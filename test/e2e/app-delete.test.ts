// Deleting, with five seconds to undo it.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { type AppPage, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp();

async function openWithMail(): Promise<AppPage & { listKept(): Promise<string[]> }> {
  const opened = await app.openPage();
  const { page } = opened;
  const email = await readAddress(page);
  const token = String(await page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"));
  for (const subject of ['One', 'Two']) await app.service.send(email, { subject });
  await page.getByRole('link', { name: /One/ }).waitFor();
  await page.getByRole('link', { name: /Two/ }).click();
  await page.getByRole('heading', { name: 'Two' }).waitFor();
  const listKept = async (): Promise<string[]> =>
    (await app.service.process().checkMail(token)).map(({ subject }) => subject);
  return { ...opened, listKept };
}

it('restores a message within five seconds, without a request to the service', async () => {
  const { page, faults, listKept } = await openWithMail();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Message deleted').waitFor();
  expect(await page.getByRole('link', { name: /Two/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Two/ }).waitFor();
  await page.getByText('Message deleted').waitFor({ state: 'detached' });
  expect(await listKept()).toEqual(['Two', 'One']);
  expect(asked).not.toContain('/delete-mail');
  expect(faults).toEqual(noFaults);
});

it('deletes for good when it is not undone', async () => {
  const { page, faults, listKept } = await openWithMail();
  await page.getByRole('button', { name: 'Delete' }).click();
  expect(await listKept()).toEqual(['Two', 'One']);
  await expect.poll(listKept).toEqual(['One']);
  expect(await page.getByRole('link', { name: /One/ }).isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('can still be undone when the tab was closed meanwhile, and is done later if it is not', async () => {
  const { page, context, listKept } = await openWithMail();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Message deleted').waitFor();
  await page.close();
  expect(await listKept()).toEqual(['Two', 'One']);
  const second = await context.newPage();
  await second.goto(app.service.url);
  await second.getByText('Message deleted').waitFor();
  await second.getByRole('link', { name: /One/ }).waitFor();
  expect(await second.getByRole('link', { name: /Two/ }).count()).toBe(0);
  await second.getByRole('button', { name: 'Undo' }).click();
  await second.getByRole('link', { name: /Two/ }).click();
  await second.getByRole('button', { name: 'Delete' }).click();
  await second.getByText('Message deleted').waitFor();
  await second.close();
  const third = await context.newPage();
  await third.goto(app.service.url);
  await third.getByText('Message deleted').waitFor();
  await expect.poll(listKept).toEqual(['One']);
});

it('waits while the pointer or the focus is on the notice', async () => {
  const { page, faults, listKept } = await openWithMail();
  await page.clock.install();
  await page.getByRole('button', { name: 'Delete' }).click();
  const notice = page.locator('.notice');
  await notice.hover();
  await page.clock.runFor(60_000);
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(60_000);
  expect(await listKept()).toEqual(['Two', 'One']);
  await page.getByRole('link', { name: /One/ }).focus();
  await page.clock.runFor(10_000);
  await notice.waitFor({ state: 'detached' });
  await expect.poll(listKept).toEqual(['One']);
  expect(faults).toEqual(noFaults);
});

it('removes a message from the list that was deleted elsewhere', async () => {
  const { page, context, faults } = await openWithMail();
  const other = await context.newPage();
  await other.goto(app.service.url);
  await other.getByRole('link', { name: /One/ }).click();
  await other.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: /One/ }).waitFor({ state: 'detached', timeout: 15_000 });
  expect(faults).toEqual(noFaults);
});
