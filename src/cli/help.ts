// What the program says of itself.

export const help = `Mayfly lends e-mail addresses that die on time.

Usage: mayfly COMMAND

  serve [--processes N]       run the service: HTTP, SMTP and the store; in N processes on
                              PostgreSQL
  domain add NAME [--quarantine SECONDS]
                              lend addresses on NAME; also makes a disabled one active again.
                              --quarantine: how long an address rests after its session
                              (default 30 days; 0 for a domain used in tests)
             [--refuse-dmarc-reject | --accept-dmarc-reject]
                              whether mail that fails DMARC is refused when its From domain
                              asks for that (default: accepted, and told by read-mail)
             [--unknown reject | accept-and-discard]
                              mail for addresses that nobody holds: refused (the default), or
                              answered as all mail is and thrown away
  domain list                 domains with their ids and states
  domain check NAME           whether MX, addresses, certificate and SPF of NAME are right, and
                              when mail last came for it
  domain disable NAME         lend no new addresses on NAME; sessions live on to their end
  domain remove NAME          end NAME's sessions and forget it; its id is never given again
  key add NAME [--scope SCOPE]... [--rate CALLS]
                              make an API key for create-session; it is told this once.
                              --scope: create, gmail, webhook (default: all)
                              --rate: calls a minute (default: that of the settings)
  key add NAME --admin [--scope read]
                              make a key for the operator's listener (default: read and write)
  key list                    keys with their scopes and uses
  key revoke NAME             from now on the key is good for nothing
  session find [ADDRESS]      live sessions whose address begins with ADDRESS
  session end ADDRESS         end the session that holds ADDRESS; its mail is gone then
  block add KIND VALUE [--note TEXT]
                              refuse mail from a sender, lend no prefix, serve no network.
                              KIND VALUE: sender spam@example.org, sender example.org,
                              prefix paypal, prefix paypal*, network 192.0.2.0/24
  block list                  what is blocked
  block remove KIND VALUE     lift a block
  settings                    the settings in force, secrets masked
  gmail add EMAIL --password-file FILE | --oauth2-file FILE
            [--host H --port P --security tls|starttls|none --user U]
            [--inbox-folder F --spam-folder F]
                              lend aliases of this account; Gmail unless --host says otherwise.
                              For an account that is there: its new settings
  gmail list                  accounts with their ids, states and free dot variants
  gmail test EMAIL            connect, log in and tell what was found
  gmail disable EMAIL         lend no new aliases of it and fetch no more mail
  gmail enable EMAIL          make a disabled one active again
  gmail remove EMAIL          end its sessions and forget it; its id is never given again
  secret rotate --new-key-file FILE
                              seal the accounts' credentials under a new secret key
  webhook dead list           webhooks that were given up
  webhook dead replay ID|all  send them again
  mailbox list                mail to postmaster and abuse
  mailbox show|remove ID      one of them; the beginning of its ID will do
  backup FOLDER               copy everything that matters into a new or empty FOLDER, under load
  restore FOLDER [--end-sessions]
                              put a backup into the empty data folder; --end-sessions ends its
                              sessions, some of which may have been ended since
  copy --from sqlite:FOLDER [--to postgres://…]
                              take all that the store in the data folder FOLDER holds over into
                              an empty PostgreSQL database (default: MAYFLY_STORE_URL); broken
                              off, it goes on where it was when run again
  version                     print the version
  help                        print this

All but the mailbox, restore and copy commands speak to the service that runs on the data folder, or
open the store themselves when none does. Settings are environment variables;
docs/configuration.md lists them. The usual ones:

  MAYFLY_DATA_DIR             folder of the store                    (./data)
  MAYFLY_HTTP_HOST, _PORT     where the interface listens            (127.0.0.1, 8080)
  MAYFLY_SMTP_HOST, _PORT     where mail arrives                     (127.0.0.1, 2525)
  MAYFLY_SECRET_KEY_FILE      key that seals Gmail credentials       (needed with accounts)
  MAYFLY_DOMAINS              domains to add at the first start      (mayfly.test)

Exit status: 0 done, 1 refused or failed, 64 wrong usage, 78 wrong setting.
`;
