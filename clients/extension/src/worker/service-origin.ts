// Whether a page is the service's own: there, nothing is filled in.
import { readSettings } from '../shared/settings.ts';

export async function isService(url: string): Promise<boolean> {
  const { service } = await readSettings();
  return service !== '' && URL.canParse(url) && new URL(url).origin === new URL(service).origin;
}
