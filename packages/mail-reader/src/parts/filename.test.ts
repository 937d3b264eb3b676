// Names of attachments: shown and offered for download, never a path (THREATS M7).
import { describe, expect, it } from 'vitest';
import { toFilename } from './filename.ts';

const fallback = { path: '2.1', contentType: 'application/pdf' };

describe('toFilename', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Прайс лист.xls', 'Прайс лист.xls'],
    ['../../etc/passwd', 'etc_passwd'],
    ['a/../.././b..txt', 'a_b..txt'],
    ['a/../..\\./b..txt', 'b..txt'],
    ['v1../notes.txt', 'v1.._notes.txt'],
    ['C:\\windows\\x.exe', 'x.exe'],
    ['c:/Users/me/My Report.pdf', 'My Report.pdf'],
    ['\\\\server\\share\\Report.pdf', 'Report.pdf'],
    ['Users\\me\\Report.pdf', 'Report.pdf'],
    ['C:\\Temp\\', 'Temp_'],
    ['11/25 report.pdf', '11_25 report.pdf'],
    ['%2e%2e/x', '%2e%2e_x'],
    ['a\0b\r\nc', 'ab c'],
    ['Konto for 1506.14\nBedrift.pdf', 'Konto for 1506.14 Bedrift.pdf'],
    ['\ta\u2028\x85b.txt\n', 'a b.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['CON.txt', '_CON.txt'],
    ['x.txt. . ', 'x.txt'],
    ['\ud800x', '\ufffdx'],
    ['می\u200cخواهم.pdf', 'می\u200cخواهم.pdf'],
    ['क्\u200dष.png', 'क्\u200dष.png'],
    ['👩\u200d👧.gif', '👩\u200d👧.gif'],
    ['pay\u200cpal.e\u200dxe\u200c', 'paypal.exe'],
    ['\u200dخ\u200c\u200cب\u200c.pdf', 'خ\u200cب.pdf'],
  ])('M7: shows %j as %j', (name, safe) => {
    expect(toFilename(name, fallback)).toBe(safe);
  });

  it.each([null, '', '..', ' . ', '\u202e'])('makes a safe name for %j', (name) => {
    expect(toFilename(name, fallback)).toBe('part-2.1.pdf');
  });

  it('keeps 255 characters and the extension', () => {
    const name = toFilename(`${'a'.repeat(10_000)}.pdf`, fallback);
    expect(name.length).toBeLessThanOrEqual(255);
    const shorter = toFilename(`${'a'.repeat(300)}.pdf`, fallback);
    expect(shorter).toHaveLength(255);
    expect(shorter.endsWith('.pdf')).toBe(true);
  });
});
