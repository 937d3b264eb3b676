// The ways in which browsers lay out a document, with a doctype for each. Loaded without a parser.

/** `limited-quirks` differs from `no-quirks` in the lines of cells that hold only pictures. */
export type DocumentMode = 'quirks' | 'limited-quirks' | 'no-quirks';

export const doctypes: Readonly<Record<DocumentMode, string>> = {
  'no-quirks': '<!DOCTYPE html>',
  'limited-quirks': '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "">',
  quirks: '<!DOCTYPE quirks>',
};
