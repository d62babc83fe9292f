"""The source policy: rules over the syntax trees of pass files. Runs nothing."""
