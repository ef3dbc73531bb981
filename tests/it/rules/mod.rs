//! Every rule: it fires, its twin stays quiet, and unknown stays unknown. One file a rule.
