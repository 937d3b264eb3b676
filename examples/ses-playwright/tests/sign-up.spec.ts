import { expect, test } from '@mayfly/playwright';

test('signs up with the code from the mail', async ({ page, inbox }) => {
  await page.goto('/');
  await page.getByLabel('E-mail').fill(inbox.email);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Code').fill(await inbox.waitForCode());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Welcome')).toBeVisible();
});
