// The style sheets of an open message, loaded with its view.
import './styles/origin.css';
import './styles/message.css';
import './styles/toolbar.css';
import './styles/warning.css';
import './styles/tabs.css';
import './styles/frame.css';
import './styles/plain-message.css';
import './styles/attachments.css';
