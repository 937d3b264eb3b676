import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  use: { baseURL: 'http://127.0.0.1:3000' },
  webServer: { command: 'node app.mjs', url: 'http://127.0.0.1:3000' },
});
