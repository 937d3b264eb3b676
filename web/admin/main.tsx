// The operator's page: shows what the admin interface lists and carries out what is chosen, with the key that the
// operator types. Served on the operator's listener.
import { render } from 'preact';

import './style.ts';
import { AdminApp } from './views/admin-app.tsx';

const root = document.querySelector('#app');
if (!root) throw new Error('The page has no place for the app.');
render(<AdminApp />, root);
