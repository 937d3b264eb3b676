// Paths of the framed document and its pictures, separate from their operations because links to them are created
// elsewhere.

export const htmlMailPath = '/html-mail';
export const inlineImagePath = '/inline-image';
export const remoteImagePath = '/remote-image';

/** The `part` of tickets for the framed document and its external content; no attachment has this id. */
export const htmlTicketPart = 'html';
