// What the browser is told to forbid the page. The page holds tokens of sessions: whatever got into it by a fault of
// ours must find nothing that runs, nowhere to send to, and no window to reach out of.

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  // Messages, each in a document with a policy of its own.
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The page registers its service worker through it, and makes nothing else out of text.
  'trusted-types mayfly-service-worker',
].join('; ');

const refusedFeatures = [
  'accelerometer',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const permissions = ['clipboard-write=(self)', ...refusedFeatures.map((feature) => `${feature}=()`)].join(
  ', ',
);

/** One year. */
const hstsSeconds = 31_536_000;

/** For the page itself. `publicUrl`: an origin, or ''. */
export function pageHeaders(publicUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'permissions-policy': permissions,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Programs get JSON at the same address.
    vary: 'Accept',
    ...(/^https:/i.test(publicUrl) ? { 'strict-transport-security': `max-age=${hstsSeconds}` } : {}),
  };
}

/** For a file named by its content. */
export const hashedFileHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** For a file at a lasting address. */
export const lastingFileHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'cross-origin-resource-policy': 'same-origin',
};

/** A worker's policy is that of its own file: it fetches the page's files and nothing else is open to it. */
export const serviceWorkerHeaders: Readonly<Record<string, string>> = {
  ...lastingFileHeaders,
  'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
};
