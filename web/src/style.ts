// The style sheets, in the order of the page from outside to inside. Their layers alone decide what wins.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/rail.css';
import './styles/inbox.css';
import './styles/row.css';
import './styles/code.css';
import './styles/message.css';
import './styles/empty.css';
import './styles/dialogs.css';
import './styles/notices.css';
import './styles/print.css';
import './styles/forced-colors.css';
