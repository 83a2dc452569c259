"""Multiple-instance learning: a slide is a bag of patch features with one label, as CLAM and TIAToolbox make them."""
