// The style sheets of the dialogs, loaded with them.
import './styles/modal.css';
import './styles/form.css';
import './styles/segments.css';
import './styles/settings.css';
import './styles/share.css';
import './styles/keep.css';
import './styles/log.css';
