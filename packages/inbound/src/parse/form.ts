// Reads a form as it arrives, in either of the two forms that providers post. The caller says, for each field by its
// name, where its bytes go.

import { malformed } from '../intake.ts';
import type { FindField, FormReader } from './form-reader.ts';
import { MultipartReader } from './multipart-reader.ts';
import { UrlencodedReader } from './urlencoded-reader.ts';

/** @throws InboundRefusal for another media type */
export function createFormReader(contentType: string, find: FindField): FormReader {
  const mediaType = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mediaType === 'application/x-www-form-urlencoded') return new UrlencodedReader(find);
  const boundary = /;[ \t]*boundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  const text = boundary?.[1] ?? boundary?.[2];
  if (mediaType === 'multipart/form-data' && text !== undefined) return new MultipartReader(text, find);
  throw malformed('The body is no form: send multipart/form-data or application/x-www-form-urlencoded.');
}
