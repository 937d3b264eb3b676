// The style sheets of the first view, one per component, from the outside of the page inwards. Precedence is set by
// their layers alone. style-addresses.ts, style-reader.ts and style-dialogs.ts have those of the views that
// are loaded later.
import './styles/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
import './styles/parts/controls.css';
import './styles/parts/button.css';
import './styles/parts/icon-button.css';
import './styles/parts/text-button.css';
import './styles/layout.css';
import './styles/rail/rail.css';
import './styles/rail/connection.css';
import './styles/inbox/inbox-head.css';
import './styles/parts/menu.css';
import './styles/inbox/search.css';
import './styles/parts/chip.css';
import './styles/inbox/row.css';
import './styles/inbox/monogram.css';
import './styles/inbox/code-chip.css';
import './styles/reader/finds.css';
import './styles/reader/code.css';
import './styles/reader/code-banner.css';
import './styles/inbox/empty.css';
import './styles/dialogs/steps.css';
import './styles/inbox/plain-state.css';
import './styles/dialogs/keys.css';
import './styles/notices.css';
import './styles/reader/print.css';
import './styles/forced-colors.css';
