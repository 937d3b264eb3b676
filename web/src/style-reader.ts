// The style sheets of an open message, loaded with its view.
import './styles/reader/origin.css';
import './styles/reader/message.css';
import './styles/reader/toolbar.css';
import './styles/reader/warning.css';
import './styles/reader/tabs.css';
import './styles/reader/frame.css';
import './styles/reader/frame-tools.css';
import './styles/reader/plain-message.css';
import './styles/reader/attachments.css';
