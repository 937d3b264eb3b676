// The functions by their names in `f`. Used by guerrilla.ts.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { extend, forgetMe, getEmailAddress, setEmailUser } from './address-functions.ts';
import type { AjaxFunction } from './ajax-call.ts';
import { checkEmail, delEmail, fetchEmail, getEmailList, getOlderList } from './mail-functions.ts';

export const ajaxFunctions: ReadonlyMap<string, AjaxFunction> = new Map([
  ['get_email_address', unlessHead(getEmailAddress)],
  ['set_email_user', unlessHead(setEmailUser)],
  ['check_email', checkEmail],
  ['get_email_list', getEmailList],
  ['get_older_list', getOlderList],
  ['fetch_email', fetchEmail],
  ['del_email', unlessHead(delEmail)],
  ['forget_me', unlessHead(forgetMe)],
  ['extend', unlessHead(extend)],
]);

function unlessHead(run: AjaxFunction): AjaxFunction {
  return (call) => {
    if (!call.isHead) return run(call);
    return Promise.reject(new MayflyError('method_not_allowed', 'HEAD changes nothing; use GET or POST.'));
  };
}
