// Pictures of a message as mail programs of several widths and colour schemes show it.

import type { TestInfo } from '@playwright/test';
import type { Inbox, Message, MessageSummary } from 'mayfly-client';

import type { Camera, ColorScheme } from './camera.ts';
import { imageLoader, withoutTickets } from './inline-images.ts';

export interface ScreenshotOptions {
  /** In CSS pixels: those of a phone and of a window when absent. */
  readonly widths?: readonly number[];
  readonly colorSchemes?: readonly ColorScheme[];
  /** Whether to add the pictures to the report; true when absent. */
  readonly attach?: boolean;
}

export interface MailScreenshot {
  /** Such as `mail-375-dark.png`, for `toMatchSnapshot`. */
  readonly name: string;
  readonly width: number;
  readonly colorScheme: ColorScheme;
  /** PNG. */
  readonly picture: Buffer;
}

/** Takes them one after the other, in the browser of the project. */
export type ScreenshotMail = (
  inbox: Inbox,
  message: number | Message | MessageSummary,
  options?: ScreenshotOptions,
) => Promise<readonly MailScreenshot[]>;

const usualWidths = [375, 800];
const usualSchemes: readonly ColorScheme[] = ['light', 'dark'];
const leastWidth = 200;
const mostWidth = 2000;
const mostPictures = 20;

export function createScreenshotMail(camera: Camera, testInfo: TestInfo): ScreenshotMail {
  return async (inbox, message, options = {}) => {
    const { widths = usualWidths, colorSchemes = usualSchemes, attach = true } = options;
    if (widths.length * colorSchemes.length > mostPictures) {
      throw new RangeError(`At most ${mostPictures} pictures of one message are taken.`);
    }
    const outside = widths.find((width) => !(width >= leastWidth && width <= mostWidth));
    if (outside !== undefined) {
      throw new RangeError(`A width is from ${leastWidth} to ${mostWidth}, not ${outside}.`);
    }
    const { html, text } = await inbox.read(message);
    const page = withoutTickets(html ?? `<pre style="white-space: pre-wrap">${escape(text)}</pre>`);
    const loadImage = imageLoader((part) => inbox.attachment(message, part));
    const taken: MailScreenshot[] = [];
    for (const width of widths) {
      for (const colorScheme of colorSchemes) {
        const picture = await camera.take(page, loadImage, { width, colorScheme });
        const name = `mail-${width}-${colorScheme}.png`;
        if (attach) await testInfo.attach(name, { body: picture, contentType: 'image/png' });
        taken.push({ name, width, colorScheme, picture });
      }
    }
    return taken;
  };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
