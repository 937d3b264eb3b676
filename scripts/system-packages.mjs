// The programs from outside npm that tests and benchmark use, with the Debian package each comes from.
// scripts/test-setup.mjs installs them; nothing that the service itself needs belongs here.

/**
 * @typedef {object} SystemPackage
 * @property {string} name of the Debian package
 * @property {string} program by which it is known on other systems
 * @property {readonly string[]} [answers] lines for debconf-set-selections, given before the installation
 * @property {boolean} [anyOrigin] whether the program will do wherever it comes from, on Debian too
 * @property {string} reason
 */

/** @type {readonly SystemPackage[]} */
export const systemPackages = [
  {
    name: 'postfix',
    program: 'postfix',
    answers: ['postfix postfix/main_mailer_type select No configuration'],
    reason:
      'relays mail to Mayfly through a queue, as the Internet does; its smtp-source and smtp-sink measure',
  },
  {
    name: 'dovecot-imapd',
    program: 'dovecot',
    reason: "an IMAP server in Gmail's place, with IDLE and the folders that Gmail has",
  },
  { name: 'swaks', program: 'swaks', reason: 'an SMTP client written to test servers' },
  { name: 'python3', program: 'python3', reason: "smtplib, the SMTP client of most people's scripts" },
  {
    name: 'openssl',
    program: 'openssl',
    reason: 'certificates for tests, and a TLS client that is not ours',
  },
  {
    name: 'unbound',
    program: 'unbound',
    reason: 'a name server with a zone of the test, for SPF, DKIM, DMARC and ARC',
  },
  {
    name: 'python3-venv',
    program: 'python3',
    reason: "a folder for the Python library that checks webhooks' signatures",
  },
  {
    name: 'nginx-light',
    program: 'nginx',
    reason: 'a proxy that buffers, between an event stream and its client',
  },
  {
    name: 'chromium',
    program: 'chromium',
    reason: 'shows hostile mail in tests, driven by playwright-core, to see that nothing of it runs',
  },
  {
    name: 'postgresql-15',
    program: 'postgres',
    reason: 'the database of many nodes; every test file starts a server of its own',
  },
  {
    name: 'pgbouncer',
    program: 'pgbouncer',
    reason: 'a pooler in transaction mode before the database, as large installations have',
  },
  {
    name: 'haproxy',
    program: 'haproxy',
    reason: 'a load balancer that says who its clients are (PROXY protocol)',
  },
  {
    name: 'python3-venv',
    program: 'python3',
    reason: 'a place of its own for the Python packages that tests use',
  },
  { name: 'golang-go', program: 'go', anyOrigin: true, reason: "net/smtp, the SMTP client of Go's programs" },
  { name: 'gcc', program: 'gcc', reason: 'compiles the failing disk of the fault tests' },
  { name: 'libc6-dev', program: 'gcc', reason: 'what that is compiled against' },
  { name: 'libfaketime', program: 'faketime', reason: 'a clock that jumps, for one process' },
  {
    name: 'systemd',
    program: 'systemd-analyze',
    reason: 'reads our unit files, and hands sockets over as on a server',
  },
  { name: 'util-linux', program: 'unshare', reason: 'a small disk that only the service under test sees' },
  {
    name: 'zbar-tools',
    program: 'zbarimg',
    reason: 'reads the QR codes that the page shows, as a phone would',
  },
  { name: 'curl', program: 'curl', reason: 'runs the session that the README prints' },
  {
    name: 'prometheus',
    program: 'promtool',
    reason: 'reads our metrics, alert rules and the queries of our dashboard',
  },
];
