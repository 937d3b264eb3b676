/** The password of every account on the IMAP servers of tests. */
export const imapPassword = 'hunter2-hunter2';
