// The style sheets of the list of several addresses, loaded with it.
import './styles/rail/addresses.css';
import './styles/rail/ring.css';
