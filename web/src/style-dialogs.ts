// The style sheets of the dialogs, loaded with them.
import './styles/dialogs/modal.css';
import './styles/dialogs/form.css';
import './styles/dialogs/segments.css';
import './styles/dialogs/settings.css';
import './styles/dialogs/share.css';
import './styles/dialogs/keep.css';
import './styles/dialogs/log.css';
