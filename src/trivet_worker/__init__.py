"""The part of trivet that runs inside a framework's environment.

It needs Python 3.10, the standard library, numpy and, in files named for it, one framework. It never imports
`trivet`; `trivet` imports only `trivet_worker.protocol` and `trivet_worker.layouts`.
"""
