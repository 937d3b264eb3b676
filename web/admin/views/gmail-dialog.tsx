// Adds an account, or gives one a new password. What else the account has goes along unchanged, since the service takes
// an account's settings as a whole.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { GmailAccount } from '../api/answers.ts';
import { carryOut, type Parameters } from '../api/call-operation.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Segments } from '../parts/segments.tsx';
import { TextField } from '../parts/text-field.tsx';
import { text } from '../texts/text.ts';

interface GmailDialogProps {
  /** Absent for a new one. */
  readonly account?: GmailAccount;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function GmailDialog({ account, onChanged, onClose }: GmailDialogProps): VNode {
  const [email, setEmail] = useState(account?.email ?? '');
  const [password, setPassword] = useState('');
  const [server, setServer] = useState<Server>({ host: '', port: '', security: 'tls', user: '' });
  return (
    <FormDialog
      title={account ? text('gmail.passwordTitle', { email }) : text('gmail.addTitle')}
      submit={account ? text('app.save') : text('gmail.add')}
      onSubmit={async () => {
        const wanted = email.trim();
        const settings = account ? settingsOf(account) : toParameters(server);
        await carryOut('add-gmail-account', { email: wanted, password, ...settings });
        onChanged();
        return text(account ? 'gmail.changed' : 'gmail.added', { email: wanted });
      }}
      onClose={onClose}
    >
      {!account && <TextField label={text('gmail.emailLabel')} value={email} onChange={setEmail} hasFocus />}
      <TextField
        label={text('gmail.passwordLabel')}
        hint={text('gmail.passwordHint')}
        type="password"
        value={password}
        onChange={setPassword}
        hasFocus={account !== undefined}
      />
      {!account && <ServerFields server={server} onChange={setServer} />}
    </FormDialog>
  );
}

interface Server {
  readonly host: string;
  readonly port: string;
  readonly security: GmailAccount['security'];
  readonly user: string;
}

/** Without a host it is Gmail's, and the rest as Gmail has it. */
function toParameters({ host, port, security, user }: Server): Parameters {
  return host.trim() === '' ? {} : { host: host.trim(), port, security, user: user.trim() };
}

function settingsOf(account: GmailAccount): Parameters {
  const { host, port, security, user, inbox_folder: inbox, spam_folder: spam } = account;
  return { host, port, security, user, inbox_folder: inbox ?? undefined, spam_folder: spam ?? undefined };
}

interface ServerFieldsProps {
  readonly server: Server;
  readonly onChange: (server: Server) => void;
}

function ServerFields({ server, onChange }: ServerFieldsProps): VNode {
  const set = (name: 'host' | 'port' | 'user') => (value: string) => {
    onChange({ ...server, [name]: value });
  };
  return (
    <details class="more-fields">
      <summary>{text('gmail.other')}</summary>
      <div class="form">
        <TextField label={text('gmail.host')} isOptional value={server.host} onChange={set('host')} />
        <TextField
          label={text('gmail.port')}
          type="number"
          isOptional
          value={server.port}
          onChange={set('port')}
          min={1}
          max={65_535}
        />
        <Segments
          label={text('gmail.security')}
          isLabelShown
          value={server.security}
          onChange={(security) => {
            onChange({ ...server, security });
          }}
          options={[
            ['tls', text('gmail.securityTls')],
            ['starttls', text('gmail.securityStarttls')],
            ['none', text('gmail.securityNone')],
          ]}
        />
        <TextField
          label={text('gmail.user')}
          hint={text('gmail.userHint')}
          isOptional
          value={server.user}
          onChange={set('user')}
        />
      </div>
    </details>
  );
}
