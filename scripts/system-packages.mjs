// The programs from outside npm that tests and benchmark use, with their Debian packages. scripts/test-setup.mjs
// installs them. Dependencies of the service itself do not belong here.

/**
 * @typedef {object} SystemPackage
 * @property {string} name of the Debian package
 * @property {string} program to look for on other systems
 * @property {readonly string[]} [answers] lines for debconf-set-selections, set before the installation
 * @property {boolean} [anyOrigin] whether a program from elsewhere will do, on Debian too
 * @property {string} reason
 */

/** @type {readonly SystemPackage[]} */
export const systemPackages = [
  {
    name: 'postfix',
    program: 'postfix',
    answers: ['postfix postfix/main_mailer_type select No configuration'],
    reason:
      'relays mail to Mayfly through a queue, as on the Internet; smtp-source and smtp-sink for the benchmark',
  },
  {
    name: 'dovecot-imapd',
    program: 'dovecot',
    reason: "an IMAP server to stand in for Gmail, with IDLE and Gmail's folders",
  },
  { name: 'swaks', program: 'swaks', reason: 'an SMTP client written to test servers' },
  { name: 'python3', program: 'python3', reason: 'smtplib, the SMTP client of many scripts' },
  {
    name: 'openssl',
    program: 'openssl',
    reason: 'certificates for tests, and an independent TLS client',
  },
  {
    name: 'unbound',
    program: 'unbound',
    reason: "a name server with a test's own zone, for SPF, DKIM, DMARC and ARC",
  },
  {
    name: 'python3-venv',
    program: 'python3',
    reason: "an environment for the Python library that verifies webhooks' signatures",
  },
  {
    name: 'nginx-light',
    program: 'nginx',
    reason: 'a buffering proxy between an event stream and its client',
  },
  {
    name: 'chromium-headless-shell',
    program: 'chromium-headless-shell',
    reason: 'shows the page and hostile mail in tests, driven by playwright-core',
  },
  {
    name: 'chromium',
    program: 'chromium',
    reason: 'has what its headless shell lacks: notifications, push, and the look of the page',
  },
  {
    name: 'firefox-esr',
    program: 'firefox-esr',
    reason: 'shows the page and mail in the second of three engines, driven by its own socket (Marionette)',
  },
  {
    name: 'webkit2gtk-driver',
    program: 'WebKitWebDriver',
    reason: "shows the page and mail in Safari's engine",
  },
  { name: 'xvfb', program: 'Xvfb', reason: 'a screen for WebKit, which has no headless form' },
  {
    name: 'postgresql-15',
    program: 'postgres',
    reason: 'the database for several nodes; every test file starts its own server',
  },
  {
    name: 'pgbouncer',
    program: 'pgbouncer',
    reason: 'a pooler in transaction mode before the database, as large installations have',
  },
  {
    name: 'haproxy',
    program: 'haproxy',
    reason: "a load balancer that passes on its clients' addresses (PROXY protocol)",
  },
  {
    name: 'python3-venv',
    program: 'python3',
    reason: 'an environment for the Python packages that tests use',
  },
  { name: 'golang-go', program: 'go', anyOrigin: true, reason: "net/smtp, the SMTP client of Go's programs" },
  { name: 'gcc', program: 'gcc', reason: 'compiles the failing disk of the fault tests' },
  { name: 'libc6-dev', program: 'gcc', reason: 'headers for compiling it' },
  { name: 'libfaketime', program: 'faketime', reason: 'a clock that jumps, for one process' },
  {
    name: 'systemd',
    program: 'systemd-analyze',
    reason: 'verifies our unit files, and passes on sockets as on a server',
  },
  { name: 'util-linux', program: 'unshare', reason: 'a small disk visible only to the service under test' },
  {
    name: 'zbar-tools',
    program: 'zbarimg',
    reason: 'reads the QR codes on the page, as a phone would',
  },
  { name: 'curl', program: 'curl', reason: "runs the README's example session" },
  {
    name: 'prometheus',
    program: 'promtool',
    reason: "checks our metrics, alert rules and the dashboard's queries",
  },
];
