// The operator's page as high as it is, for docs/admin-page.png.
import { onTestFinished } from 'vitest';

import type { App } from '../../support/page/app-fixture.ts';
import { openAppPage } from '../../support/page/app-page.ts';
import { giveKey } from '../../support/page/operator-page.ts';
import { shapes } from './look.ts';

/** Its charts begin with the service, so it is taken after all else. */
export async function takeOperator({ browser, service }: App, file: string): Promise<void> {
  const { stdout } = await service.run('key', 'add', 'operator', '--admin');
  const [key = ''] = stdout.split('\n');
  const origin = service.process().adminOrigin ?? '';
  const { page, close } = await openAppPage(browser, { origin, url: `${origin}/admin` }, shapes.desktop);
  onTestFinished(close);
  await giveKey(page, key);
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  await page.waitForLoadState('networkidle');
  // The sections beside it are as high as the window.
  const height = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...shapes.desktop.viewport, height: Number(height) });
  await page.screenshot({ path: file });
}
