//! TLS for `serve`, with the certificate that the operator names.

use crate::config::TlsFiles;
use crate::store::{Fault, operator_files};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Returns an acceptor with that certificate.
///
/// # Errors
/// A file cannot be read, or key and certificate do not match.
pub(crate) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, Fault> {
    let (certificate, key) = (Path::new(&files.certificate), Path::new(&files.key));
    let unfit = |path: &Path, why: &str| {
        Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
    };
    let chain = CertificateDer::pem_slice_iter(&operator_files::read(certificate)?)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| unfit(certificate, &why.to_string()))?;
    let private = PrivateKeyDer::from_pem_slice(&operator_files::read(key)?)
        .map_err(|why| unfit(key, &why.to_string()))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|why| unfit(certificate, &why.to_string()))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
