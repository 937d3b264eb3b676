// Where the framed document and its pictures lie, apart from their operations, since links to them are made elsewhere.

export const htmlMailPath = '/html-mail';
export const inlineImagePath = '/inline-image';
export const remoteImagePath = '/remote-image';

/** The `part` of tickets for the framed document and what it shows from outside; no attachment has this id. */
export const htmlTicketPart = 'html';
